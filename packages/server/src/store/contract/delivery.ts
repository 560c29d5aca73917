import type { ContractBench } from "./bench.ts";
import { clockContract } from "./delivery-clock.ts";
import { endingContract } from "./delivery-endings.ts";
import { leaseContract } from "./delivery-leases.ts";
import { moveContract } from "./delivery-moves.ts";
import { pageContract } from "./delivery-pages.ts";
import { planContract } from "./delivery-plan.ts";

/** A message's way from being due to its end. */
export function deliveryContract(bench: () => ContractBench): void {
  planContract(bench);
  leaseContract(bench);
  pageContract(bench);
  moveContract(bench);
  endingContract(bench);
  clockContract(bench);
}
