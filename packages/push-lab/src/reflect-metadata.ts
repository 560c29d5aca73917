/**
 * @peculiar/x509 wires its algorithms together by decorators, and its container refuses to load without the three
 * functions below on `Reflect`. Import this file before it. A complete polyfill that is already there stays.
 */
type Key = string | symbol;
type MetadataReflect = {
  getMetadata?: (key: Key, target: object) => unknown;
  getOwnMetadata?: (key: Key, target: object) => unknown;
  defineMetadata?: (key: Key, value: unknown, target: object) => void;
};

const reflect: typeof Reflect & MetadataReflect = Reflect;

if (reflect.getMetadata === undefined) {
  const kept = new WeakMap<object, Map<Key, unknown>>();

  reflect.getOwnMetadata = (key, target) => kept.get(target)?.get(key);
  reflect.getMetadata = (key, target) => {
    for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
      const own = kept.get(at);
      if (own?.has(key)) return own.get(key);
    }
    return undefined;
  };
  reflect.defineMetadata = (key, value, target) => {
    const own = kept.get(target) ?? new Map<Key, unknown>();
    own.set(key, value);
    kept.set(target, own);
  };
}
