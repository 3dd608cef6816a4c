import type { Paper } from '@bey/contract/paper/paper'
import type { ReportMessage } from '@bey/contract/reports/entity'
import { act, type Member } from '../../platform/act.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { enqueue, messageOf } from '../../platform/webhooks/enqueue.ts'
import { composeReport } from './compose.ts'
import { insertIssue } from './issue-store.ts'
import { readableKinds, type ReportParts, targetOf } from './parts.ts'
import { readerFor } from './reads.ts'
import { membersAmong, type ReportRow } from './store.ts'

/** What a report says now to somebody who may read its kind. */
export function paperFor(
  { features, clock }: Pick<ReportParts, 'features' | 'clock'>,
  row: Pick<ReportRow, 'kind' | 'name' | 'parameters'>,
  caller: TenantCaller,
): Promise<Paper> {
  return composeReport({
    kind: row.kind,
    name: row.name,
    parameters: row.parameters,
    organizationName: caller.organizationName,
    read: readerFor(features, caller),
    now: clock.now(),
  })
}

/**
 * Freezes a paper as an issue, and queues its mails and webhooks in the same transaction. Recipients who left or may not
 * read the kind any more get nothing. Answers its id.
 */
export async function storeIssue(
  db: Db,
  { baseUrl }: Pick<ReportParts, 'baseUrl'>,
  row: ReportRow,
  issue: { paper: Paper; trigger: 'manual' | 'schedule'; who: Member },
): Promise<string> {
  const { paper, trigger, who } = issue
  const { organizationId } = who
  const id = uuidv7()
  const members = await membersAmong(db, organizationId, row.recipients)
  const recipients = members.filter(({ role }) => readableKinds(role).includes(row.kind))
  await insertIssue(db, {
    id,
    organizationId,
    reportId: row.id,
    title: paper.title,
    paper,
    parameters: row.parameters,
    asOf: new Date(paper.asOf),
    trigger,
    recipients: recipients.map((member) => member.id),
    issuedBy: who.user.id,
  })
  const address = `${baseUrl}/analytics/reports/${row.id}?issue=${id}`
  for (const { email } of recipients) {
    await enqueueMail(db, { to: email, subject: paper.title, text: mailText(paper, address) })
  }
  const message: ReportMessage = { reportId: row.id, issueId: id, name: row.name, title: paper.title }
  await enqueue(db, [messageOf(organizationId, 'report.issued', message)])
  await act(db, who, {
    action: 'report.issue',
    class: 'create',
    target: targetOf(row.id, row.name),
    diff: { issueId: id, trigger, recipients: recipients.length },
  })
  return id
}

function mailText({ title, asOfText, sections, unread }: Paper, address: string): string {
  const blocks = sections.flatMap((section) => section.blocks)
  const leads = blocks.flatMap((block) => (block.kind === 'text' && block.isLead ? [block.text] : []))
  const figures = blocks
    .flatMap((block) => (block.kind === 'figures' ? block.figures : []))
    .map(({ label, value, before }) => `${label}: ${value}${before === null ? '' : ` (${before})`}`)
  return [
    title,
    '',
    ...leads,
    '',
    ...figures,
    '',
    `Data as of ${asOfText}.`,
    ...unread,
    '',
    address,
    '',
  ].join('\n')
}
