import type { Permission, Role } from '@bey/contract'
import { allPermissions, deniedReason, givesAccess } from '@bey/contract'
import { Checkbox } from '../../ui/checkbox.tsx'

export interface PermissionPickerProps {
  role: Role
  chosen: readonly Permission[]
  onChange: (chosen: readonly Permission[]) => void
}

/** Every permission by what it is about. What the user does not hold cannot be given, and says why. */
export function PermissionPicker({ role, chosen, onChange }: PermissionPickerProps) {
  const groups = Object.entries(Object.groupBy(allPermissions, nounOf))
  return (
    <div className="divide-y divide-line rounded-control border border-line">
      {groups.map(([noun, permissions = []]) => (
        <Group key={noun} noun={noun} {...{ permissions, role, chosen, onChange }} />
      ))}
    </div>
  )
}

function Group({
  noun,
  permissions,
  role,
  chosen,
  onChange,
}: PermissionPickerProps & { noun: string; permissions: readonly Permission[] }) {
  const held = permissions.filter((each) => deniedReason(role, each) === undefined)
  const on = held.filter((each) => chosen.includes(each))
  const others = chosen.filter((each) => !permissions.includes(each))
  return (
    <fieldset className="grid min-w-0 gap-x-4 gap-y-1.5 px-3 py-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <legend className="sr-only">{noun}</legend>
      <Checkbox
        label={<span className="font-medium">{titleOf(noun)}</span>}
        checked={on.length > 0 && on.length === held.length}
        indeterminate={on.length > 0 && on.length < held.length}
        disabled={held.length === 0}
        onChange={() => onChange(on.length === held.length ? others : [...others, ...held])}
      />
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {permissions.map((permission) => {
          const denied = deniedReason(role, permission)
          return (
            <span key={permission} title={denied}>
              <Checkbox
                label={verbOf(permission)}
                aria-label={permission}
                checked={chosen.includes(permission)}
                disabled={denied !== undefined}
                onChange={({ target }) =>
                  onChange(
                    target.checked ? [...chosen, permission] : chosen.filter((each) => each !== permission),
                  )
                }
              />
            </span>
          )
        })}
      </div>
      {permissions.some((each) => givesAccess(each) && chosen.includes(each)) ? (
        <p className="text-small text-warn sm:col-start-2">
          Anyone with this key can grant or revoke access to the organization.
        </p>
      ) : null}
    </fieldset>
  )
}

const nounOf = (permission: Permission) => permission.split('.', 1)[0] ?? ''
const verbOf = (permission: Permission) => permission.slice(nounOf(permission).length + 1)

/** `apiKeys` as it is read: `API keys`. */
function titleOf(noun: string): string {
  if (noun === 'apiKeys') return 'API keys'
  const words = noun.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
