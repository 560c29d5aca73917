import { Card } from "../../../parts/card.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import { withoutPicture } from "../logic/written.ts";
import type { Fields } from "./fields.ts";
import { PictureField } from "./picture-field.tsx";

/** Icon and large picture. */
export function PictureFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const onRemoved = (address: string) => change(withoutPicture(written, address));
  return (
    <Card title={compose.pictures}>
      <PictureField
        use="icon"
        label={compose.icon}
        hint={compose.iconHint}
        value={written.icon}
        flaw={flaw("notification.icon")}
        onChange={(icon) => change({ icon })}
        onRemoved={onRemoved}
      />
      <PictureField
        use="image"
        label={compose.image}
        hint={compose.imageHint}
        value={written.image}
        flaw={flaw("notification.image")}
        onChange={(image) => change({ image })}
        onRemoved={onRemoved}
      />
    </Card>
  );
}
