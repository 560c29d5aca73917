import { Alert, Button, Radio, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { useThisBrowser } from "../../../this-browser/use-this-browser.ts";
import classes from "./fields.module.css";
import type { Fields } from "./fields.ts";

/** One browser: the operator's own, or another one by its token. */
export function BrowserFields({ written, change, flaw }: Fields) {
  const { compose } = useTexts();
  const browser = useThisBrowser();
  const { token, busy } = browser;
  const [isOther, setOther] = useState(written.token !== "");
  return (
    <>
      <Radio.Group
        aria-label={compose.audienceKinds.browser}
        value={isOther ? "other" : "own"}
        onChange={(value) => {
          setOther(value === "other");
          if (value === "own") change({ token: "" });
        }}
      >
        <div className={classes.radios}>
          <Radio value="own" label={compose.thisBrowser} />
          <Radio value="other" label={compose.otherBrowser} />
        </div>
      </Radio.Group>
      {isOther && (
        <TextInput
          label={compose.token}
          value={written.token}
          error={flaw("target.token")}
          onChange={(event) => change({ token: event.currentTarget.value.trim() })}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {!isOther && token === null && (
        <Alert color="yellow">
          <p>{compose.thisBrowserOff}</p>
          <Button mt="xs" variant="default" loading={busy} onClick={() => browser.enable()}>
            {compose.enableHere}
          </Button>
        </Alert>
      )}
    </>
  );
}
