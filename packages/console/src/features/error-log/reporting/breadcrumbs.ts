import type { Breadcrumb } from '@bey/contract'
import { errorContextLimits, redactNamedText } from '@bey/contract'

/** The last things that happened, the oldest first. */
export interface Breadcrumbs {
  add: (type: Breadcrumb['type'], message: string, status?: number) => void
  list: () => readonly Breadcrumb[]
  clear: () => void
}

export function createBreadcrumbs(now: () => Date = () => new Date()): Breadcrumbs {
  let crumbs: Breadcrumb[] = []
  return {
    add(type, message, status) {
      const text = redactNamedText(message).slice(0, errorContextLimits.breadcrumbLength)
      const crumb: Breadcrumb = { at: now().toISOString(), type, message: text }
      if (status !== undefined) crumb.status = status
      crumbs = [...crumbs, crumb].slice(-errorContextLimits.breadcrumbs)
    },
    list: () => crumbs,
    clear: () => {
      crumbs = []
    },
  }
}

/** What was clicked, by role and name, never by what somebody typed; undefined for what is no control. */
export function describeClick(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined
  const control = target.closest('a,button,summary,select,input,textarea,label,[role]')
  if (!control) return undefined
  const role = control.getAttribute('role') ?? roles[control.localName] ?? control.localName
  const isField = control.matches('input,textarea,select')
  const name =
    control.getAttribute('aria-label') ??
    (isField ? fieldName(control) : control.textContent.replace(/\s+/g, ' ').trim())
  return `${role} “${name.slice(0, 80)}”`
}

const roles: Readonly<Record<string, string>> = {
  a: 'link',
  summary: 'button',
  input: 'field',
  textarea: 'field',
}

function fieldName(control: Element): string {
  const label = 'labels' in control && control.labels instanceof NodeList ? control.labels[0] : undefined
  return label?.textContent?.trim() ?? control.getAttribute('name') ?? ''
}

/** A path with its ids left out, without its query. */
export function pathPattern(path: string): string {
  return (path.split(/[?#]/, 1)[0] ?? '')
    .replace(/\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}(?=\/|$)/gi, '/{id}')
    .replace(/\/\d+(?=\/|$)/g, '/{id}')
}
