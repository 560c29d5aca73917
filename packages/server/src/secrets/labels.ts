/**
 * What a sealed secret is and whose: authenticated with it, so that none can be passed off as another one. Never another
 * text for the same thing.
 */
import type { ProjectSecretPurpose, SealedPlace } from "../store/port.ts";

export function labelOf(place: SealedPlace): string {
  switch (place.kind) {
    case "vapid-key":
      return vapidKeyLabel(place.publicKey);
    case "project-secret":
      return projectSecretLabel(place.projectId, place.purpose);
    case "totp-secret":
      return totpSecretLabel(place.operatorId);
    default:
      return place satisfies never;
  }
}

export function vapidKeyLabel(publicKey: string): string {
  return `vapid key v1 ${publicKey}`;
}

export function projectSecretLabel(projectId: number, purpose: ProjectSecretPurpose): string {
  return `project secret v1 ${projectId} ${purpose}`;
}

export function totpSecretLabel(operatorId: number): string {
  return `totp secret v1 ${operatorId}`;
}
