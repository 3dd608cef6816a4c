/** How mails leave the instance. The address holds a password: never log it. */
export type MailSettings = {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
  url: string
  /** The sender: an address, or `Name <address>`. */
  from: string
}

/** Reads the settings as they are at this moment; undefined on an instance without SMTP. */
export type MailSettingsSource = () => Promise<MailSettings | undefined>
