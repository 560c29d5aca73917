/**
 * @peculiar/x509 declares its parts by decorators and looks them up through these functions of `Reflect`. Import this
 * before it.
 */
const kept = new WeakMap<object, Map<unknown, unknown>>();

function getOwnMetadata(key: unknown, target: object): unknown {
  return kept.get(target)?.get(key);
}

function getMetadata(key: unknown, target: object): unknown {
  const parent: object | null = Object.getPrototypeOf(target);
  return getOwnMetadata(key, target) ?? (parent === null ? undefined : getMetadata(key, parent));
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const own = kept.get(target) ?? new Map<unknown, unknown>();
  kept.set(target, own.set(key, value));
}

if (!("getMetadata" in Reflect)) {
  Object.assign(Reflect, { getOwnMetadata, getMetadata, defineMetadata });
}
