/** Finds the directive of the page's Content-Security-Policy that blocked a call. Part of the hints. */
import {
  decidingDirective,
  directiveText,
  readPolicies,
  trustedTypesObstacle,
  trustedTypesPolicyName,
} from "@sineta/protocol/content-security-policy";

export type Violation = {
  /** As the event has it: `worker-src` also if `default-src` decides. */
  effectiveDirective: string;
  /** The directives that decide, as the page has them: `default-src 'none'`. */
  blamed: string;
};

/**
 * Repeats a call that has failed. Resolves to whether it succeeds now, and to what blocks it if the policy does.
 * @param isOfCall whether the event of a violation belongs to the call
 */
export async function repeat(
  call: () => unknown,
  isOfCall: (event: SecurityPolicyViolationEvent) => boolean,
): Promise<{ succeeds: boolean; violation: Violation | undefined }> {
  let violation: Violation | undefined;
  const listen = (event: SecurityPolicyViolationEvent) => {
    if (event.disposition === "enforce" && isOfCall(event)) violation ??= violationOf(event);
  };
  document.addEventListener("securitypolicyviolation", listen);
  // What the call throws at once counts, too: a script of the page may have replaced a function.
  const succeeds = await (async () => call())().then(
    () => true,
    () => false,
  );
  // The browser sends the event in a task of its own, which may come after the call has failed.
  if (!succeeds) await new Promise((resolve) => setTimeout(resolve, 100));
  document.removeEventListener("securitypolicyviolation", listen);
  return { succeeds, violation };
}

function violationOf({
  effectiveDirective,
  originalPolicy,
}: SecurityPolicyViolationEvent): Violation | undefined {
  const [policy] = readPolicies([originalPolicy]);
  if (!policy) return undefined;
  if (effectiveDirective === "require-trusted-types-for") {
    const demand = directiveText(effectiveDirective, policy.get(effectiveDirective));
    const blamed = trustedTypesObstacle([policy], trustedTypesPolicyName) ?? demand;
    return { effectiveDirective, blamed };
  }
  if (effectiveDirective === "trusted-types") {
    const names = policy.get(effectiveDirective) ?? [];
    // Then the client has made its policy, and may make no second one.
    if (names.includes(trustedTypesPolicyName) || names.includes("*")) return undefined;
    return { effectiveDirective, blamed: directiveText(effectiveDirective, names) };
  }
  const what = effectiveDirective === "worker-src" ? "worker" : "connection";
  const directive = decidingDirective(policy, what);
  return (
    directive && { effectiveDirective, blamed: directiveText(directive.name, directive.sources) }
  );
}
