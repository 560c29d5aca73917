import { useEffect, useState, type ComponentType } from "react";

/**
 * A component in a chunk of its own, which is asked for as soon as it has a place on the page. Not `lazy`: what comes out of a Suspense
 * React shows no sooner than 300 ms after the fallback, however soon it is there.
 * @param Waiting stands in its place until it is there
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<Props>,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined;
  return function LatePart(props) {
    const [isThere, setIsThere] = useState(Part !== undefined);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (isThere) return;
      load().then((loaded) => {
        Part = loaded;
        setIsThere(true);
      }, setError);
    }, [isThere]);
    if (error !== undefined) throw error;
    return Part === undefined ? <Waiting {...props} /> : <Part {...props} />;
  };
}
