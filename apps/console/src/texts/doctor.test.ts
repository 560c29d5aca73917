import { doctorFindings } from "@sineta/protocol";
import { expect, test } from "vitest";
import { doctor as es } from "./es/doctor.ts";
import { doctor as pt } from "./pt/doctor.ts";

/** Names of values, and commands. */
const fixedPartsOf = (text: string) => (text.match(/\{\w+\}|`[^`]+`/g) ?? []).toSorted();

const skeletonOf = (findings: typeof pt.findings) =>
  Object.fromEntries(
    Object.entries(findings).map(([code, { title, remedy }]) => [
      code,
      [fixedPartsOf(title), fixedPartsOf(remedy), remedy === "" ? "nothing to do" : "to do"],
    ]),
  );

test.for(Object.entries({ pt, es }))(
  "a finding of the doctor has the values, the commands and a remedy as in the catalogue: %s",
  ([, { findings }]) => {
    expect(skeletonOf(findings)).toEqual(
      skeletonOf({
        ...doctorFindings,
        // Why delivery is held is a code here. The page of the delivery says it in words.
        "delivery-held": { ...doctorFindings["delivery-held"], title: "{seen}" },
      }),
    );
  },
);
