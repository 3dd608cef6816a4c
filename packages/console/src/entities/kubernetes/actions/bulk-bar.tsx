import { Ellipsis, Info, X } from 'lucide-react'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { useIsMobile } from '../../../ui/use-is-mobile.ts'
import type { ObjectAction } from './action.ts'
import type { ActionHost } from './action-host.tsx'
import { addressKey } from './action-host.tsx'
import { ActionIcon } from './action-icons.tsx'
import { objectActions } from './action-table.ts'
import type { ActionPlace } from './denied-reasons.ts'
import { useDeniedReasons } from './denied-reasons.ts'
import type { ActionAddress } from './run-action.ts'
import { summaryOf } from './outcome-summary.ts'

const maxButtons = 4
const maxButtonsOnPhone = 2

/** What can be done with the selected rows; who stays out and why, and what became of them, stands at its end. */
export function BulkBar({
  addresses,
  host,
  onClear,
}: {
  addresses: readonly ActionAddress[]
  host: ActionHost
  onClear: () => void
}) {
  const offers = useOffers(addresses)
  const isMobile = useIsMobile()
  const dangers = isMobile ? [] : offers.filter(({ action }) => action.isDanger)
  const others = offers.filter(({ action }) => !action.isDanger)
  const buttons = [...others.slice(0, isMobile ? maxButtonsOnPhone : maxButtons - dangers.length), ...dangers]
  const rest = offers.filter((each) => !buttons.includes(each))
  const outcomes = addresses.flatMap((each) => {
    const outcome = host.outcomes.get(addressKey(each))
    return outcome ? [{ name: each.name, outcome }] : []
  })
  return (
    <section
      aria-label="Selected rows"
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-(--gutter) py-1.5"
    >
      <span className="font-medium tabular-nums">{formatCount(addresses.length, 'row')} selected</span>
      {buttons.map(({ action, on, reason }) => (
        <Button
          key={action.id}
          size="small"
          icon={<ActionIcon id={action.id} />}
          className={action.isDanger ? 'text-danger' : undefined}
          disabledReason={reason}
          onClick={() => host.start(action, on)}
        >
          {action.label}
        </Button>
      ))}
      {rest.length > 0 ? (
        <Menu
          align="start"
          trigger={
            <IconButton
              label="More actions for the selected rows"
              size="small"
              icon={<Ellipsis size={16} aria-hidden />}
            />
          }
        >
          {rest.map(({ action, on, reason }) => (
            <MenuItem
              key={action.id}
              icon={<ActionIcon id={action.id} />}
              isDanger={action.isDanger ?? false}
              disabledReason={reason}
              onSelect={() => host.start(action, on)}
            >
              {action.label}
            </MenuItem>
          ))}
        </Menu>
      ) : null}
      <BulkNote text={outcomes.length > 0 ? summaryOf(outcomes) : stayingOut(addresses, offers)} />
      <IconButton
        label="Clear the selection"
        size="small"
        icon={<X size={16} aria-hidden />}
        onClick={onClear}
      />
    </section>
  )
}

function BulkNote({ text }: { text: string }) {
  return (
    <output className="ml-auto flex min-w-0 items-center gap-1.5 text-small text-text-2">
      {text ? <Info size={14} aria-hidden className="shrink-0" /> : null}
      <span className="line-clamp-2" data-tooltip={text.length > 90 ? text : undefined}>
        {text}
      </span>
    </output>
  )
}

interface BulkOffer {
  action: ObjectAction
  /** The objects that have it. */
  on: readonly ActionAddress[]
  reason: string | undefined
}

/** Actions that any of the rows has, with the rows that have them and may be acted on. */
function useOffers(addresses: readonly ActionAddress[]): BulkOffer[] {
  const actions = objectActions.filter(
    ({ isBulk, isFor }) => isBulk && addresses.some(({ resource }) => isFor(resource)),
  )
  const places = placesOf(addresses)
  const pairs = actions.flatMap((action) =>
    places.filter(({ resource }) => action.isFor(resource)).map((place) => ({ action, place })),
  )
  const reasons = useDeniedReasons(pairs)
  return actions.map((action) => {
    const reasonAt = (address: ActionAddress) => {
      const index = pairs.findIndex((each) => each.action === action && isAt(address, each.place))
      return reasons[index]
    }
    const having = addresses.filter(({ resource }) => action.isFor(resource))
    const on = having.filter((each) => reasonAt(each) === undefined)
    const [first] = having
    return { action, on, reason: on.length > 0 || !first ? undefined : reasonAt(first) }
  })
}

function stayingOut(addresses: readonly ActionAddress[], offers: readonly BulkOffer[]): string {
  const [first] = offers
  if (!first) return 'No action applies to several of these at once.'
  const out = addresses.filter((each) => !first.on.includes(each))
  if (out.length === 0) return `Acts on ${addresses.length}.`
  const named = out.slice(0, 2).map(({ name }) => name)
  const more = out.length > named.length ? ` and ${out.length - named.length} more` : ''
  const verb = out.length === 1 ? 'stays' : 'stay'
  const why =
    first.reason ?? `${first.action.label.toLowerCase()} is not for ${out.length === 1 ? 'it' : 'them'}`
  return `${first.action.label} acts on ${first.on.length}. ${named.join(', ')}${more} ${verb} out: ${why}.`
}

function isAt(address: ActionAddress, place: ActionPlace): boolean {
  return (
    address.clusterId === place.clusterId &&
    address.resource === place.resource &&
    address.namespace === place.namespace
  )
}

function placesOf(addresses: readonly ActionAddress[]): ActionPlace[] {
  return addresses.filter((each, index) => addresses.findIndex((other) => isAt(other, each)) === index)
}
