import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Makes Vitest begin with these files, so that no long one is left over when all others are done.
 * @param names ends of their paths, the longest first
 */
export function longestFirst(names: readonly string[]): typeof BaseSequencer {
  const rank = ({ moduleId }: TestSpecification) => {
    const place = names.findIndex((name) => moduleId.endsWith(`/${name}`));
    return place === -1 ? names.length : place;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      // oxlint-disable-next-line no-array-sort -- it is Vitest's, of no array
      return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
    }
  };
}
