import type { Clock } from '../clock.ts'
import type { Database, Db } from '../db/database.ts'
import { whenDue } from '../db/due-work.ts'
import type { Log } from '../log.ts'
import { fileForOperator, operatorFileName } from './operator-file.ts'
import { claimDueMails, endMail, postponeMail, type QueuedMail } from './outbox.ts'
import type { MailSettings, MailSettingsSource } from './settings.ts'
import { isRefusedForGood, sendMail } from './smtp.ts'

const atOnce = 5
/** Longer than the timeouts of one mail together: after it a claim of a process that died is free. */
const claimMs = 120_000
const firstRetryMs = 10_000
const longestRetryMs = 3_600_000
/** A mail that could not be sent for so long is given up. */
const giveUpMs = 24 * 3_600_000

/** How long after so many failures in a row the next attempt follows: 10 s, doubled each time, an hour at most. */
export function mailRetryDelayMs(attempts: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempts - 1, 20))
}

export type SenderParts = {
  database: Pick<Database, 'asSystem' | 'isUp' | 'ownerPool'>
  settings: MailSettingsSource
  /** Where the operator's file is kept. */
  dataDir: string
  clock: Clock
  log: Log
}

/**
 * Sends queued mails as they are due until stopped, five at once. Several servers of one database share the work.
 * Stopping waits for what is being sent.
 */
export function startMailSender({
  database,
  settings,
  dataDir,
  clock,
  log,
}: SenderParts): () => Promise<void> {
  const busy = new Set<Promise<void>>()
  let checking: Promise<void> | undefined
  let isStopped = false
  const system = (work: (db: Db) => Promise<void>) => database.asSystem('send mails', work)

  async function send(mail: QueuedMail, smtp: MailSettings): Promise<void> {
    try {
      await sendMail(smtp, mail)
    } catch (error) {
      return postpone(mail, error)
    }
    await system((db) => endMail(db, mail.id, clock.now(), { outcome: 'sent' }))
  }

  async function postpone({ id, attempts, createdAt }: QueuedMail, error: unknown): Promise<void> {
    const now = clock.now()
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500)
    const nextAt = new Date(now.getTime() + mailRetryDelayMs(attempts))
    const isLast = isRefusedForGood(error) || nextAt.getTime() - createdAt.getTime() > giveUpMs
    log.warn({ err: error, mailId: id, attempts, isLast }, 'A mail could not be sent')
    await system((db) =>
      isLast
        ? endMail(db, id, now, { outcome: 'failed', lastError })
        : postponeMail(db, id, nextAt, lastError),
    )
  }

  async function keep(mail: QueuedMail): Promise<void> {
    if (mail.withoutSmtp === 'file') {
      await fileForOperator(dataDir, mail)
      log.info({ mailId: mail.id, file: operatorFileName }, 'A mail waits in the data directory')
    }
    const outcome = mail.withoutSmtp === 'file' ? 'filed' : 'dropped'
    await system((db) => endMail(db, mail.id, clock.now(), { outcome }))
  }

  async function check(): Promise<void> {
    const limit = atOnce - busy.size
    if (limit <= 0 || !database.isUp()) return
    const now = clock.now()
    const until = new Date(now.getTime() + claimMs)
    const mails = await database.asSystem('send mails', (db) => claimDueMails(db, { now, until, limit }))
    if (mails.length === 0) return
    const smtp = await settings()
    for (const mail of mails) {
      const work = (smtp ? send(mail, smtp) : keep(mail))
        .catch((error: unknown) => {
          log.warn({ err: error, mailId: mail.id }, 'What became of a mail could not be noted')
        })
        .finally(() => {
          busy.delete(work)
          begin()
        })
      busy.add(work)
    }
  }
  function begin(): void {
    if (isStopped) return
    checking ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'The server could not look for mails to send'))
      .finally(() => (checking = undefined))
  }
  begin()
  const isDue = 'exists (select 1 from mail_outbox where ended_at is null and next_at <= $1)'
  const cancel = whenDue({ database, clock, log }, { isDue, begin })
  return async () => {
    isStopped = true
    cancel()
    await checking
    await Promise.all(busy)
  }
}
