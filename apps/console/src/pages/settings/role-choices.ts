import type { Role } from "@sineta/protocol";
import { useTexts } from "../../texts/use-texts.tsx";

const roles: readonly Role[] = ["owner", "editor", "viewer"];

/** The roles to choose from. */
export function useRoleChoices(): { value: Role; label: string }[] {
  const { session } = useTexts();
  return roles.map((value) => ({ value, label: session.roles[value] }));
}
