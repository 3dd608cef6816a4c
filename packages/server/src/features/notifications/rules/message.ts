import type { NotificationEvent, NotificationSeverity } from '@bey/contract'

export type Sent = {
  /** `run.message` is what a step of a run sends. */
  event: NotificationEvent | 'run.message' | 'test'
  severity: NotificationSeverity
  title: string
  detail: string | null
  href: string | null
  at: Date
  count: number
}

/** The body for an incoming webhook of Slack, or of what takes its format. */
export function slackMessage(all: readonly Sent[], baseUrl: string): { text: string } {
  const lines = all.map(({ severity, title, detail, href, count }) => {
    const mark = { info: '', warning: ':warning: ', error: ':red_circle: ' }[severity]
    const times = count > 1 ? ` (${count} times)` : ''
    const link = href === null ? '' : ` <${baseUrl}${href}|Open>`
    return `${mark}*${escaped(title)}*${times}${detail ? ` ${escaped(detail)}` : ''}${link}`
  })
  return { text: lines.join('\n') }
}

/** The three characters that Slack reads as its own signs. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The body for any other address. */
export function jsonMessage(all: readonly Sent[], baseUrl: string, now: Date) {
  return {
    type: 'notifications',
    sentAt: now.toISOString(),
    notifications: all.map(({ event, severity, title, detail, href, at, count }) => ({
      event,
      severity,
      title,
      detail,
      url: href === null ? null : `${baseUrl}${href}`,
      at: at.toISOString(),
      count,
    })),
  }
}

/** Subject and text of a mail. */
export function mailMessage(all: readonly Sent[], baseUrl: string): { subject: string; text: string } {
  const [first] = all
  const subject = all.length === 1 && first ? first.title : `${all.length} notifications`
  const parts = all.map(({ title, detail, href, count }) =>
    [
      count > 1 ? `${title} (${count} times)` : title,
      ...(detail ? [detail] : []),
      ...(href === null ? [] : [`${baseUrl}${href}`]),
    ].join('\n'),
  )
  const isByRule = all.some(({ event }) => event !== 'run.message')
  const foot = isByRule
    ? `You get this because of a rule: ${baseUrl}/workspaces/settings/notifications`
    : 'You get this because a workflow of your organization sends it to you.'
  return { subject, text: `${[...parts, foot].join('\n\n')}\n` }
}
