import type { Permission, Role, RoleLine } from '@bey/contract'
import { permissionTable, permissionTexts, roleHas, roles, roleTable } from '@bey/contract'
import { Check, Info } from 'lucide-react'
import { Fragment, useEffect, useRef } from 'react'
import { useRole, useUser } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Drawer } from '../../ui/drawer.tsx'

export interface RoleDrawerProps {
  /** The role that is looked at. */
  role: Role
  /** The permission that it lacks; undefined to see the whole table. */
  why: Permission | undefined
  onClose: () => void
}

/** What each role may do, from the table that the server enforces; first the answer to what was asked. */
export default function RoleDrawer({ role, why, onClose }: RoleDrawerProps) {
  return (
    <Drawer
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="What roles may do"
      isTextOnly
      description="Read from the table that the server itself enforces."
      footer={
        <div className="flex w-full flex-col gap-3">
          <p className="text-small text-text-2">
            granted: only secrets that name the person or the role. Nobody changes their own role, and the
            last owner stays owner.
          </p>
          <div className="flex justify-end">
            <Button onClick={onClose}>Close</Button>
          </div>
        </div>
      }
    >
      {why ? <Answer role={role} why={why} /> : null}
      <RoleMatrix role={role} why={why} />
    </Drawer>
  )
}

function Answer({ role, why }: { role: Role; why: Permission }) {
  const isOwn = useRole() === role
  const { act } = permissionTexts[why]
  const who = isOwn ? 'You are' : 'The role is'
  return (
    <div className="sticky -top-4 z-10 -mx-4 -mt-4 mb-2 flex gap-2.5 border-b border-line bg-overlay px-4 py-3">
      <Info size={16} aria-hidden className="mt-0.5 shrink-0 text-text-2" />
      <p className="text-text-2">
        {roleHas(role, why) ? (
          <>
            <strong className="font-medium text-text">{role} may do this:</strong> {act}.
          </>
        ) : (
          <>
            <strong className="font-medium text-text">
              The role {permissionTable[why]} is needed to {act}.
            </strong>{' '}
            {who} {role}. <Granters />
          </>
        )}
      </p>
    </div>
  )
}

/** Who can give another role, by name. */
function Granters() {
  const userId = useUser()?.id
  const owners = useList('members.list', { query: { role: 'OWNER', limit: 3 } })
  const admins = useList('members.list', { query: { role: 'ADMIN', limit: 3 } })
  const people = [...(owners.data?.members ?? []), ...(admins.data?.members ?? [])]
    .filter(({ id }) => id !== userId)
    .map(({ name }) => name)
  const more = (owners.data?.total ?? 0) + (admins.data?.total ?? 0) - people.length
  if (people.length === 0) return null
  return <>{listText(more > 0 ? [...people, `${more} more`] : people)} can change that.</>
}

function listText(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names)
}

function RoleMatrix({ role, why }: { role: Role; why: Permission | undefined }) {
  const asked = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    // Nothing is returned: in newer browsers it answers a promise, which React would take for the clean-up.
    asked.current?.scrollIntoView({ block: 'nearest' })
  }, [why])
  return (
    <table className="-mx-4 w-[calc(100%+2rem)] border-separate border-spacing-0">
      <thead>
        <tr className="text-meta text-text-2">
          <th scope="col" className="px-4 py-1.5 text-left font-medium">
            May …
          </th>
          {roles.map((each) => (
            <th
              key={each}
              scope="col"
              aria-current={each === role ? 'true' : undefined}
              className={cx(
                'w-12 px-0.5 py-1.5 text-center font-medium',
                each === role && 'bg-sunken text-text',
              )}
            >
              {titleCase(each)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {roleTable().map(({ group, lines }) => (
          <Fragment key={group}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={roles.length + 1}
                className="border-t border-line px-4 pt-2 pb-1 text-left text-small font-medium text-text-2"
              >
                {group}
              </th>
            </tr>
            {lines.map((line) => {
              const isAsked = why !== undefined && line.permissions.includes(why)
              return (
                <tr
                  key={line.text}
                  ref={isAsked ? asked : undefined}
                  className={isAsked ? 'bg-accent-soft' : undefined}
                >
                  <th
                    scope="row"
                    className={cx(
                      'border-t border-line py-1 pr-1 pl-4 text-left',
                      isAsked ? 'font-medium' : 'font-normal',
                    )}
                  >
                    {line.text}
                  </th>
                  {roles.map((each) => (
                    <td
                      key={each}
                      className={cx(
                        'border-t border-line px-0.5 py-1 text-center text-small',
                        each === role && !isAsked && 'bg-sunken',
                      )}
                    >
                      <Held held={line.holds[each]} />
                    </td>
                  ))}
                </tr>
              )
            })}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function Held({ held }: { held: RoleLine['holds'][Role] }) {
  if (held === 'granted') return 'granted'
  if (!held) {
    return (
      <>
        <span aria-hidden className="text-text-3">
          —
        </span>
        <span className="sr-only">no</span>
      </>
    )
  }
  return (
    <>
      <Check size={14} aria-hidden className="inline" />
      <span className="sr-only">yes</span>
    </>
  )
}

function titleCase(role: Role): string {
  return role.charAt(0) + role.slice(1).toLowerCase()
}
