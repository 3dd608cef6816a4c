import { startMailSender, type SenderParts } from './sender.ts'
import type { MailSettingsSource } from './settings.ts'

/** What features know of mail beside `enqueueMail`. */
export type MailDelivery = {
  settings: MailSettingsSource
  /** False: nobody receives mails, so what a mail would say must be shown, or written for the operator. */
  isMailConfigured(): Promise<boolean>
}

/** Begins to send queued mails; `stop` waits for those that are being sent. */
export function openMail(parts: SenderParts): MailDelivery & { stop(): Promise<void> } {
  const { settings } = parts
  return {
    settings,
    isMailConfigured: async () => (await settings()) !== undefined,
    stop: startMailSender(parts),
  }
}
