import { Link } from "@tanstack/react-router";
import { useTexts } from "../texts/use-texts.tsx";
import { Outside } from "./outside.tsx";

export function MissingPage() {
  const { frame } = useTexts();
  return (
    <Outside title={frame.pageMissing}>
      <Link to="/">{frame.toHome}</Link>
    </Outside>
  );
}
