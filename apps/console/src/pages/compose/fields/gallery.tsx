import { Button, Skeleton, UnstyledButton } from "@mantine/core";
import type { Image, ImageList, ImageUses } from "@sineta/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../../api/api-problem.ts";
import { Empty } from "../../../parts/empty.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import classes from "./fields.module.css";
import { pictureName, RemovePicture } from "./remove-picture.tsx";

/** The pictures that were uploaded before. */
export function Gallery({
  isOpen,
  title,
  onClose,
  onChoose,
  onRemoved,
}: {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  onChoose: (image: Image) => void;
  onRemoved: (image: Image) => void;
}) {
  const { compose } = useTexts();
  const format = useFormat();
  const nowMs = useNow(60_000);
  const project = useProject();
  const images = useQuery({
    queryKey: [project.name, "images"],
    enabled: isOpen,
    queryFn: ({ signal }) => read<ImageList>(`${project.path}/images`, { signal }),
  });
  const [asked, setAsked] = useState<Image | null>(null);
  const uses = useQuery({
    queryKey: [project.name, "image-uses", asked?.hash],
    enabled: asked !== null,
    // As it is now, not as it was when it was asked for last.
    gcTime: 0,
    queryFn: ({ signal }) =>
      read<ImageUses>(`${project.path}/images/${asked?.hash}/uses`, { signal }),
  });
  // One dialog at a time: each keeps the focus to itself.
  if (isOpen && asked !== null && uses.data !== undefined) {
    return (
      <RemovePicture
        image={asked}
        uses={uses.data}
        onRemoved={() => {
          onRemoved(asked);
          setAsked(null);
        }}
        onClose={() => setAsked(null)}
      />
    );
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => {
        setAsked(null);
        onClose();
      }}
      title={title}
    >
      <Problem error={images.error} onRetry={() => void images.refetch()} />
      {uses.isError && <Problem error={uses.error} onRetry={() => void uses.refetch()} />}
      {images.isPending && <Skeleton height={96} />}
      {images.data?.images.length === 0 && (
        <Empty drawing="picture" sentence={compose.noneEarlier} />
      )}
      <ul className={classes.gallery}>
        {images.data?.images.map((image) => (
          <li key={image.hash}>
            <UnstyledButton
              aria-label={compose.earlierPicture(format.on(image.createdAt, nowMs))}
              title={format.exact(image.createdAt)}
              onClick={() => onChoose(image)}
            >
              <img src={image.url} alt="" loading="lazy" />
            </UnstyledButton>
            <Button
              variant="subtle"
              color="red"
              fullWidth
              className={classes.remove}
              aria-label={compose.removeEarlier(pictureName(image))}
              loading={asked?.hash === image.hash && uses.isFetching}
              onClick={() => setAsked(image)}
            >
              {compose.removeEarlierYes}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
