import { Button, CloseButton, TextInput } from "@mantine/core";
import { mdiImageMultipleOutline, mdiImageOutline, mdiUploadOutline } from "@mdi/js";
import type { Image } from "@sineta/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { ApiProblem, bodyOf } from "../../../api/api-problem.ts";
import { ask } from "../../../api/ask.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { usePicture } from "../../../parts/picture.tsx";
import { useProject } from "../../../session/operator.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { shrink, type PictureUse } from "../logic/shrink.ts";
import classes from "./fields.module.css";
import { leftToRight } from "../../../app/theme.ts";

// Comes when it is wanted.
const Gallery = lazy(() => import("./gallery.tsx").then((module) => ({ default: module.Gallery })));

/** A picture: a file that is made smaller and uploaded, one that was uploaded before, or an address. */
export function PictureField({
  use,
  label,
  hint,
  value,
  flaw,
  onChange,
  onRemoved,
  onLeaveOut,
  takesFocus = false,
}: {
  use: PictureUse;
  label: string;
  hint: string;
  value: string;
  flaw: string | undefined;
  onChange: (address: string) => void;
  /** A picture that was uploaded before is not there any more. */
  onRemoved: (address: string) => void;
  /** The notice is to have no such picture. Without it there is no button for that. */
  onLeaveOut?: () => void;
  /** Whether it takes the focus when it comes. */
  takesFocus?: boolean;
}) {
  const { compose } = useTexts();
  const project = useProject();
  const queries = useQueryClient();
  const { address, isBroken, onError } = usePicture(flaw === undefined ? value : "");
  const chooser = useRef<HTMLInputElement>(null);
  const [isGalleryOpen, setGalleryOpen] = useState(false);
  const [wasGalleryOpen, setGalleryWasOpen] = useState(false);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const shrunk = await shrink(file, use);
      if (shrunk.kind !== "shrunk") {
        const code = shrunk.kind === "unreadable" ? "image-unreadable" : "image-too-large";
        throw new ApiProblem({ code });
      }
      return bodyOf(ask<Image>("POST", `${project.path}/images`, { body: shrunk.blob }));
    },
    onSuccess(image) {
      onChange(image.url);
      void queries.invalidateQueries({ queryKey: [project.name, "images"] });
    },
  });
  return (
    <fieldset className={classes.part}>
      <legend className={classes.partHeader}>
        {label}
        {onLeaveOut !== undefined && (
          <CloseButton aria-label={compose.removePicture(label)} size="xl" onClick={onLeaveOut} />
        )}
      </legend>
      <div className={classes.picture}>
        <div className={classes.shown}>
          {address !== null && !isBroken ? (
            <img src={address} alt="" onError={onError} />
          ) : (
            <Icon path={mdiImageOutline} size={28} />
          )}
        </div>
        <div className={classes.pictureFields}>
          <p className={classes.soft}>{hint}</p>
          <div className={classes.buttons}>
            <input
              ref={chooser}
              type="file"
              accept="image/*"
              hidden
              aria-label={compose.chooseFile(label)}
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                // The same file may be chosen again after a mistake.
                event.currentTarget.value = "";
                if (file !== undefined) upload.mutate(file);
              }}
            />
            <Button
              variant="default"
              {...(takesFocus ? { ref: giveFocus } : {})}
              leftSection={<Icon path={mdiUploadOutline} size={18} />}
              aria-label={compose.chooseFile(label)}
              loading={upload.isPending}
              onClick={() => chooser.current?.click()}
            >
              {compose.upload}
            </Button>
            <Button
              variant="default"
              leftSection={<Icon path={mdiImageMultipleOutline} size={18} />}
              aria-label={compose.chooseEarlier(label)}
              onClick={() => {
                setGalleryWasOpen(true);
                setGalleryOpen(true);
              }}
            >
              {compose.fromEarlier}
            </Button>
          </div>
          <TextInput
            aria-label={`${label}: ${compose.pictureAddress}`}
            placeholder={compose.pictureAddress}
            value={value}
            error={flaw}
            onChange={(event) => onChange(event.currentTarget.value)}
            inputMode="url"
            attributes={leftToRight}
            autoComplete="off"
          />
          <div aria-live="polite">
            {isBroken && <p className={classes.soft}>{compose.pictureBroken}</p>}
          </div>
          {upload.isError && <Problem error={upload.error} />}
        </div>
      </div>
      <Suspense>
        {wasGalleryOpen && (
          <Gallery
            isOpen={isGalleryOpen}
            title={compose.chooseEarlier(label)}
            onClose={() => setGalleryOpen(false)}
            onChoose={(image) => {
              onChange(image.url);
              setGalleryOpen(false);
            }}
            onRemoved={({ url }) => onRemoved(url)}
          />
        )}
      </Suspense>
    </fieldset>
  );
}

function giveFocus(element: HTMLElement | null): void {
  element?.focus();
}
