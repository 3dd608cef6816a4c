import type { Cluster, ObjectDetail } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { Braces, Ellipsis, ScrollText, Waypoints } from 'lucide-react'
import { useEffect } from 'react'
import { usePageActions } from '../../../lib/page-actions.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useListedKeys } from '../../../ui/shown-keys.ts'
import { isTyping } from '../../../ui/is-typing.ts'
import { KeyHint } from '../../../ui/key-hint.tsx'
import { Link } from '../../../ui/link.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { ThumbBar, thumbItemClass } from '../../../ui/thumb-bar.tsx'
import { toast } from '../../../ui/toast.ts'
import { reachHref } from '../reach-address.ts'
import { tabOfKey } from '../../../entities/kubernetes/row-tab-keys.ts'
import type { ActionTarget } from '../../../entities/kubernetes/actions/action.ts'
import type { ActionHost } from '../../../entities/kubernetes/actions/action-host.tsx'
import { addressKey, useActionHost } from '../../../entities/kubernetes/actions/action-host.tsx'
import { ActionIcon } from '../../../entities/kubernetes/actions/action-icons.tsx'
import type { ActionItem } from '../../../entities/kubernetes/actions/action-menu.tsx'
import { ActionItems } from '../../../entities/kubernetes/actions/action-menu.tsx'
import { asActionObject } from '../../../entities/kubernetes/actions/action-object.ts'
import { actionsFor } from '../../../entities/kubernetes/actions/action-table.ts'
import { useDeniedReasons } from '../../../entities/kubernetes/actions/denied-reasons.ts'
import type { ActionAddress } from '../../../entities/kubernetes/actions/run-action.ts'

const maxButtons = 3
/** Beside the log, the YAML and the menu. */
const maxThumbButtons = 2

interface Subject {
  cluster: Cluster
  detail: ObjectDetail
}

/** What can be done with the object of a page: buttons for what is done most, the rest in a menu, keys, the palette. */
export function ObjectActions({ subject, isAtThumb }: { subject: Subject; isAtThumb: boolean }) {
  const host = useActionHost()
  const { items, isBusy } = useItems(subject, host)
  const primary = items
    .filter(({ action }) => action.isPrimary)
    .slice(0, isAtThumb ? maxThumbButtons : maxButtons)
  const rest = items.filter((item) => !primary.includes(item))
  useActionKeys(items)
  usePageActions(
    items.map(({ action, reason, run }) => ({
      id: `object-${action.id}`,
      name: `${action.label} ${nameOf(subject)}`,
      ...(action.shortcut && { shortcut: action.shortcut }),
      run: () => (reason === undefined ? run() : sayReason(action.label, reason)),
    })),
  )
  const buttons = { primary, rest, isBusy, name: nameOf(subject), reach: reachOf(subject) }
  return (
    <>
      {isAtThumb ? <ThumbButtons {...buttons} tabHref={tabHrefOf(subject)} /> : <HeadButtons {...buttons} />}
      {host.dialog}
    </>
  )
}

interface Buttons {
  primary: readonly ActionItem[]
  rest: readonly ActionItem[]
  isBusy: (item: ActionItem) => boolean
  name: string
  /** Where it is said who reaches it. */
  reach: string | undefined
}

function HeadButtons({ primary, rest, isBusy, name, reach }: Buttons) {
  return (
    <>
      {primary.map((item) => (
        <Button
          key={item.action.id}
          icon={<ActionIcon id={item.action.id} />}
          disabledReason={item.reason}
          busy={isBusy(item)}
          onClick={item.run}
        >
          {item.action.label}
          {item.action.shortcut ? <KeyHint keys={[item.action.shortcut]} /> : null}
        </Button>
      ))}
      <Menu
        trigger={<IconButton label={`More actions for ${name}`} icon={<Ellipsis size={16} aria-hidden />} />}
      >
        <ActionItems items={rest} />
        <ReachItem href={reach} />
      </Menu>
    </>
  )
}

/** The same where the thumb is: at the lower edge of a phone. */
function ThumbButtons({
  primary,
  rest,
  isBusy,
  name,
  reach,
  tabHref,
}: Buttons & { tabHref: (key: 'l' | 'e') => string | undefined }) {
  const logs = tabHref('l')
  const yaml = tabHref('e')
  return (
    <ThumbBar label={`Actions for ${name}`}>
      {logs === undefined ? null : (
        <Link href={logs} className={thumbItemClass}>
          <ScrollText size={18} aria-hidden />
          Logs
        </Link>
      )}
      {primary.map((item) => (
        <button
          key={item.action.id}
          type="button"
          className={thumbItemClass}
          aria-disabled={item.reason !== undefined || isBusy(item) || undefined}
          aria-busy={isBusy(item) || undefined}
          onClick={() => (item.reason === undefined ? item.run() : sayReason(item.action.label, item.reason))}
        >
          <ActionIcon id={item.action.id} size={18} />
          {item.action.label}
        </button>
      ))}
      {yaml === undefined ? null : (
        <Link href={yaml} className={thumbItemClass}>
          <Braces size={18} aria-hidden />
          YAML
        </Link>
      )}
      <Menu
        side="top"
        trigger={
          <button type="button" className={thumbItemClass} aria-label={`More actions for ${name}`}>
            <Ellipsis size={18} aria-hidden />
            More
          </button>
        }
      >
        <ActionItems items={rest} />
        <ReachItem href={reach} />
      </Menu>
    </ThumbBar>
  )
}

function ReachItem({ href }: { href: string | undefined }) {
  if (href === undefined) return null
  return (
    <MenuItem icon={<Waypoints size={14} aria-hidden />} href={href}>
      Who reaches it
    </MenuItem>
  )
}

function reachOf({ cluster, detail }: Subject): string | undefined {
  const { name = '', namespace = '' } = asActionObject(detail.object).metadata ?? {}
  return reachHref(cluster.id, { kind: detail.resource.kind, namespace, name })
}

function useItems({ cluster, detail }: Subject, host: ActionHost) {
  const object = asActionObject(detail.object)
  const { name = '', namespace = '' } = object.metadata ?? {}
  const { resource } = detail.resource
  const address: ActionAddress = {
    clusterId: cluster.id,
    clusterTitle: cluster.title,
    resource,
    namespace,
    name,
  }
  const target: ActionTarget = { ...address, resource: detail.resource, object }
  const actions = actionsFor(resource)
  const denied = useDeniedReasons(actions.map((action) => ({ action, place: address })))
  const items = actions.flatMap((action, index): ActionItem[] => {
    const refusal = action.refusal?.(target)
    // Of two that undo each other only the one that would change something is shown.
    if (refusal && action.isToggle) return []
    return [{ action, reason: denied[index] ?? refusal, run: () => host.start(action, [address]) }]
  })
  const isPending = host.outcomes.get(addressKey(address))?.state === 'pending'
  return {
    items,
    isBusy: ({ action }: ActionItem) => isPending && action.form === 'fields' && !action.fields,
  }
}

/** Starts actions by their keys while no text field, dialog or menu has the keyboard. */
function useActionKeys(items: readonly ActionItem[]): void {
  useListedKeys(
    'This object',
    items.flatMap(({ action: { label, shortcut } }) => (shortcut ? [{ keys: [shortcut], does: label }] : [])),
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('[role="dialog"],[role="menu"]')) return
      const item = items.find(({ action }) => action.shortcut === event.key)
      if (!item) return
      event.preventDefault()
      if (item.reason === undefined) item.run()
      else sayReason(item.action.label, item.reason)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [items])
}

function sayReason(label: string, reason: string): void {
  toast('info', `${label} is not possible`, { description: reason, id: 'action-reason' })
}

function tabHrefOf({ cluster, detail }: Subject): (key: 'l' | 'e') => string | undefined {
  const { name = '', namespace = '' } = asActionObject(detail.object).metadata ?? {}
  const { resource } = detail.resource
  return (key) => {
    const tab = tabOfKey(key, resource)
    return tab && objectPath({ clusterId: cluster.id, resource, namespace, name }, tab)
  }
}

function nameOf({ detail }: Subject): string {
  return asActionObject(detail.object).metadata?.name ?? ''
}
