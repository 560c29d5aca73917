import { Loader } from "@mantine/core";
import { useTexts } from "../texts/use-texts.tsx";

/** In the place of a page that takes longer than a moment to come. */
export function Waiting() {
  const { frame } = useTexts();
  return (
    <output aria-label={frame.loading}>
      <Loader type="dots" />
    </output>
  );
}
