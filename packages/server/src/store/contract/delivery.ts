import type { ContractBench } from "./bench.ts";
import { clockContract } from "./delivery-clock.ts";
import { endingContract } from "./delivery-endings.ts";
import { leaseContract } from "./delivery-leases.ts";
import { moveContract } from "./delivery-moves.ts";
import { pageContract } from "./delivery-pages.ts";
import { planContract } from "./delivery-plan.ts";
import { splitMoveContract } from "./delivery-split-moves.ts";
import { splitContract } from "./delivery-splits.ts";
import { stopContract } from "./delivery-stops.ts";
import { turnContract } from "./delivery-turns.ts";
import { zoneContract } from "./delivery-zones.ts";
import { provenContract } from "./proven-origins.ts";

/** A message's way from being due to its end. */
export function deliveryContract(bench: () => ContractBench): void {
  planContract(bench);
  leaseContract(bench);
  pageContract(bench);
  moveContract(bench);
  zoneContract(bench);
  turnContract(bench);
  splitContract(bench);
  splitMoveContract(bench);
  stopContract(bench);
  provenContract(bench);
  endingContract(bench);
  clockContract(bench);
}
