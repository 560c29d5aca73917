import { Skeleton, UnstyledButton } from "@mantine/core";
import type { Image, ImageList } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/api-problem.ts";
import { Problem } from "../../../parts/problem.tsx";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import classes from "./fields.module.css";

/** The pictures that were uploaded before. */
export function Gallery({
  isOpen,
  title,
  onClose,
  onChoose,
}: {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  onChoose: (image: Image) => void;
}) {
  const { compose } = useTexts();
  const format = useFormat();
  const project = useProject();
  const images = useQuery({
    queryKey: [project.name, "images"],
    enabled: isOpen,
    queryFn: ({ signal }) => read<ImageList>(`${project.path}/images`, { signal }),
  });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <Problem error={images.error} onRetry={() => void images.refetch()} />
      {images.isPending && <Skeleton height={96} />}
      {images.data?.images.length === 0 && <p>{compose.noneEarlier}</p>}
      <ul className={classes.gallery}>
        {images.data?.images.map((image) => (
          <li key={image.hash}>
            <UnstyledButton
              aria-label={compose.earlierPicture(format.dateTime(image.createdAt))}
              onClick={() => onChoose(image)}
            >
              <img src={image.url} alt="" loading="lazy" />
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
