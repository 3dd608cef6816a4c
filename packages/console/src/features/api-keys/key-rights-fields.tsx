import type { Role } from '@bey/contract'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { permissionsOf } from './key-draft.ts'
import type { KeyDraft } from './key-draft.ts'
import { PermissionPicker } from './permission-picker.tsx'
import { ResourcePicker } from './resource-picker.tsx'

interface KeyRightsProps {
  draft: KeyDraft
  error: string | undefined
  onChange: (part: Partial<KeyDraft>) => void
}

/** What a new key may do. */
export function KeyPermissions({ draft, error, onChange, role }: KeyRightsProps & { role: Role }) {
  return (
    <Section
      title="Permissions"
      aside={
        <Segmented
          label="Permissions"
          options={[
            { value: 'read', label: 'Read only' },
            { value: 'everything', label: `Everything ${role} may do` },
            { value: 'chosen', label: 'Choose' },
          ]}
          value={draft.preset}
          onChange={(preset) =>
            onChange({ preset, ...(preset === 'chosen' && { chosen: permissionsOf(draft, role) }) })
          }
        />
      }
    >
      {draft.preset === 'chosen' ? (
        <PermissionPicker role={role} chosen={draft.chosen} onChange={(chosen) => onChange({ chosen })} />
      ) : (
        <p className="text-text-2">
          {draft.preset === 'read'
            ? 'It reads what you may read, and changes nothing.'
            : 'It may do what you may, except for giving access to others: members, keys and the organization itself.'}
        </p>
      )}
      <p role="alert" className={error ? 'mt-2 text-small text-danger' : 'hidden'}>
        {error}
      </p>
    </Section>
  )
}

/** Which clusters, workflows and secrets a new key reaches. */
export function KeyResources({ draft, error, onChange }: KeyRightsProps) {
  return (
    <Section
      title="Resources"
      aside={
        <Segmented
          label="Resources"
          options={[
            { value: 'all', label: 'All' },
            { value: 'some', label: 'Only some' },
          ]}
          value={draft.isLimited ? 'some' : 'all'}
          onChange={(value) => onChange({ isLimited: value === 'some' })}
        />
      }
    >
      {draft.isLimited ? (
        <ResourcePicker
          chosen={draft.resources}
          error={error}
          onChange={(resources) => onChange({ resources })}
        />
      ) : (
        <p className="text-text-2">It reaches everything in the organization.</p>
      )}
    </Section>
  )
}
