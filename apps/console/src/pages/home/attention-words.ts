import type { AttentionItem } from "@sineta/protocol";
import { useNow } from "../../parts/use-now.ts";
import { useFormat, useLanguage, useTexts } from "../../texts/use-texts.tsx";

/** What an item is called, and what to do about it. */
export function useAttentionWords(): (item: AttentionItem) => { title: string; what: string } {
  const { audience, delivery } = useTexts();
  const { language } = useLanguage();
  const format = useFormat();
  const nowMs = useNow(60_000);
  const { attention, pushServices } = audience;
  const reasons: Readonly<Record<string, string>> = attention.breakerReasons;
  // With a decimal: 1.2 GB.
  const gigabytes = new Intl.NumberFormat(language, {
    style: "unit",
    unit: "gigabyte",
    maximumFractionDigits: 1,
  });
  const space = (bytes: number) => gigabytes.format(bytes / 1e9);
  return (item) => {
    switch (item.code) {
      case "delivery-held":
        return { title: delivery.held, what: delivery.why[item.reason] };
      case "key-refused":
        return {
          title: attention.keyRefused(pushServices[item.pushService]),
          what: attention.keyRefusedWhat,
        };
      case "breaker-open":
        return {
          title: attention.breakerOpen(pushServices[item.pushService]),
          what: reasons[item.reason] ?? item.reason,
        };
      case "nothing-accepted":
        return {
          title: attention.nothingAccepted(pushServices[item.pushService]),
          what: attention.nothingAcceptedWhat(item.reason),
        };
      case "vapid-key-unknown":
        return {
          title: attention.keyUnknown(item.origin),
          what: attention.keyUnknownWhat(
            item.keyStart,
            item.vapidKey.slice(0, item.keyStart.length),
          ),
        };
      case "disk-low":
        return {
          title: attention.diskLow,
          what: attention.diskLowWhat(space(item.freeBytes), space(item.thresholdBytes)),
        };
      case "registrations-quota":
        return {
          title: attention.registrationsQuota,
          what: attention.registrationsQuotaWhat(
            format.number(item.used),
            format.number(item.quota),
          ),
        };
      case "messages-quota":
        return {
          title: attention.messagesQuota,
          what: attention.messagesQuotaWhat(format.number(item.used), format.number(item.quota)),
        };
      case "retention-late":
        return {
          title: attention.retentionLate,
          what: attention.retentionLateWhat(format.when(item.oldest, nowMs), item.keepDays),
        };
      default:
        return item satisfies never;
    }
  };
}
