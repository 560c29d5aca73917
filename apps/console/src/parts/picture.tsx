import { useState } from "react";
import { useSite } from "../project/use-site.ts";
import { shownAddress } from "./shown-address.ts";

/**
 * A picture of a notification, as a browser of the site loads it.
 * @param text its address, as an operator wrote it
 */
export function usePicture(text: string): {
  /** Null while there is none that the console may load. */
  address: string | null;
  isBroken: boolean;
  onError: () => void;
} {
  const site = useSite();
  const [broken, setBroken] = useState<string | null>(null);
  const address =
    text === "" || site === undefined ? null : shownAddress(text, window.location.origin, site);
  return {
    address,
    isBroken: address !== null && broken === address,
    onError: () => setBroken(address),
  };
}

/** Nothing where it cannot be loaded, as in browsers. */
export function Picture({ text, className }: { text: string; className: string | undefined }) {
  const { address, isBroken, onError } = usePicture(text);
  if (address === null || isBroken) return null;
  return <img className={className} src={address} alt="" onError={onError} />;
}
