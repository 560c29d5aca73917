import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Page } from "../parts/page.tsx";
import { useTexts } from "../texts/use-texts.tsx";

export function MissingPage() {
  const { frame } = useTexts();
  return (
    <Page title={frame.pageMissing}>
      <div>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>{frame.toHome}</Button>
      </div>
    </Page>
  );
}
