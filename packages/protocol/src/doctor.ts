import { z } from "zod";
import { doctorChecks, doctorFindings, type DoctorCode } from "./doctor-findings.ts";

const isCode = (text: string): text is DoctorCode => text in doctorFindings;
const doctorCodes = Object.keys(doctorFindings).filter(isCode);

const findingSchema = z.object({
  code: z.enum(doctorCodes).describe("What was found; docs/doctor.md lists the codes."),
  check: z.enum(doctorChecks).describe("What was looked at."),
  state: z
    .enum(["ok", "to-do", "unknown"])
    .describe("`to-do`: an operator has something to do. `unknown`: the doctor could not look."),
  subject: z.string().nullable().describe("Which one was looked at, such as a host or a file."),
  seen: z.string().nullable().describe("What was seen there, such as an address or a date."),
});
export type DoctorFinding = z.infer<typeof findingSchema>;

/** Answer of `POST /v1/projects/{project}/doctor`. */
export const doctorSchema = z
  .object({ findings: z.array(findingSchema).describe("In the order of the checks.") })
  .meta({ id: "Doctor" });
export type DoctorBody = z.infer<typeof doctorSchema>;

/** What of a doctor's own request arrived at the server: answer of `POST /v1/projects/{project}/doctor/echo`. */
export const doctorEchoSchema = z
  .object({
    version: z.string().describe("The server's version."),
    peer: z.string().describe("Address of the connection's other end."),
    address: z.string().describe("The address that the server takes for the visitor's."),
    host: z.string().describe("The Host header."),
    isTrusted: z.boolean().describe("Whether SINETA_TRUSTED_PROXIES names the other end."),
    forwardedFor: z.string().nullable().describe("The X-Forwarded-For header."),
    headers: z.array(z.string()).describe("Names of all headers, in lower case."),
    bodyBytes: z.int().min(0).describe("Length of the body."),
  })
  .meta({ id: "DoctorEcho" });
export type DoctorEcho = z.infer<typeof doctorEchoSchema>;

/** Names the token by which the server knows that a doctor asks. */
export const doctorHeader = "Sineta-Doctor";
