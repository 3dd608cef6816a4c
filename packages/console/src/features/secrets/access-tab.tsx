import type { Member, SecretAccess, SecretDetail, SecretGrant, SecretReader } from '@bey/contract'
import { secretAccesses } from '@bey/contract'
import { Trash } from 'lucide-react'
import { useState } from 'react'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useList, useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { accessHints, accessLabels } from '../../entities/secrets/secret-text.ts'
import { causeOf } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Below } from '../../ui/below.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Select } from '../../ui/select.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'

type Subject = { subjectType: SecretGrant['subjectType']; subjectId: string; label: string }

/** Who may do what with a secret, why, and who did. */
export function AccessTab({ secret }: { secret: SecretDetail }) {
  const grants = useRead('secrets.grants', { params: { id: secret.id } })
  // Owners and admins manage every secret, and viewers may see no value: only members can be given something.
  const listed = useList('members.list', { query: { role: 'MEMBER', limit: 200 } })
  // Without the list nobody can be added, and the grants are shown all the same.
  const members = listed.data?.members ?? (listed.isError ? [] : undefined)
  const usage = useRead('secrets.usage', { params: { id: secret.id } })
  const failure = failureOf('Failed to fetch who has access', grants)
  return (
    <div className="flex max-w-5xl flex-col gap-8 px-(--gutter) py-6">
      {failure ? <ErrorState {...failure} /> : null}
      {grants.data && members ? (
        <Grants secret={secret} grants={grants.data.grants} members={members} />
      ) : failure ? null : (
        <Skeleton className="h-48 w-full" />
      )}
      <Below isReady={failure !== undefined || (grants.data !== undefined && members !== undefined)}>
        <Section title="Who could read the value">
          <TableCard>
            <Table
              label="Readers"
              columns={readerColumns}
              rows={usage.data?.readers}
              rowKey={({ subjectType, subjectId }) => `${subjectType} ${subjectId}`}
              empty={
                <EmptyState
                  title="Nobody"
                  description="No member and no API key of the organization may read this value."
                />
              }
            />
          </TableCard>
        </Section>
      </Below>
    </div>
  )
}

function Grants({
  secret,
  grants,
  members,
}: {
  secret: SecretDetail
  grants: readonly SecretGrant[]
  members: readonly Pick<Member, 'id' | 'name' | 'email'>[]
}) {
  const keys = useList('apiKeys.list', { query: { state: 'live', sort: 'name', limit: 200 } })
  const set = useChange('secrets.setGrants')
  const stale = useStaleReason()
  const reason =
    secret.access === 'manage'
      ? stale
      : 'Only who manages the secret, or an owner or admin, can change who has access.'
  const replace = (next: readonly SecretGrant[]) =>
    set.mutate({
      params: { id: secret.id },
      body: {
        grants: next.map(({ subjectType, subjectId, access }) => ({ subjectType, subjectId, access })),
      },
    })
  const subjects: Subject[] = [
    { subjectType: 'role', subjectId: 'MEMBER', label: 'Every MEMBER' },
    ...members.map(({ id, name, email }) => ({
      subjectType: 'user' as const,
      subjectId: String(id),
      label: `${name} (${email})`,
    })),
    ...(keys.data?.keys ?? []).map(({ id, name }) => ({
      subjectType: 'api_key' as const,
      subjectId: id,
      label: `API key ${name}`,
    })),
  ]
  const free = subjects.filter(
    (each) =>
      !grants.some(
        ({ subjectType, subjectId }) => subjectType === each.subjectType && subjectId === each.subjectId,
      ),
  )

  return (
    <Section title="Grants" aside="Owners and admins manage every secret">
      <ul className="divide-y divide-line border-y border-line">
        {grants.map((grant) => (
          <li key={`${grant.subjectType} ${grant.subjectId}`} className="flex items-center gap-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{grantee(grant)}</span>
              <span className="block truncate text-small text-text-3">{accessHints[grant.access]}</span>
            </span>
            <Select
              aria-label={`Access of ${grant.subjectName}`}
              controlSize="small"
              value={grant.access}
              disabled={reason !== undefined || set.isPending}
              options={accessOptions}
              onChange={(event) =>
                replace(
                  grants.map((each) =>
                    each === grant ? { ...each, access: event.target.value as SecretAccess } : each,
                  ),
                )
              }
            />
            <IconButton
              label={`Remove the grant of ${grant.subjectName}`}
              size="small"
              icon={<Trash size={14} aria-hidden />}
              disabledReason={reason}
              onClick={() => replace(grants.filter((each) => each !== grant))}
            />
          </li>
        ))}
        {grants.length === 0 ? (
          <li className="py-2 text-text-2">Nothing is granted: only owners and admins reach this secret.</li>
        ) : null}
      </ul>
      {set.error ? (
        <div className="mt-3">
          <Notice tone="danger" title="The grants were not changed">
            {causeOf(set.error)}
          </Notice>
        </div>
      ) : null}
      <AddGrant
        subjects={free}
        disabledReason={reason}
        busy={set.isPending}
        onAdd={(subject, access) =>
          replace([
            ...grants,
            {
              subjectType: subject.subjectType,
              subjectId: subject.subjectId,
              subjectName: subject.label,
              access,
            },
          ])
        }
      />
    </Section>
  )
}

function grantee({ subjectType, subjectName }: SecretGrant): string {
  if (subjectType === 'role') return `Every ${subjectName}`
  return subjectType === 'api_key' ? `API key ${subjectName}` : subjectName
}

const accessOptions = secretAccesses.map((access) => ({ value: access, label: accessLabels[access] }))

function AddGrant({
  subjects,
  disabledReason,
  busy,
  onAdd,
}: {
  subjects: readonly Subject[]
  disabledReason: string | undefined
  busy: boolean
  onAdd: (subject: Subject, access: SecretAccess) => void
}) {
  const [chosen, setChosen] = useState('')
  const [access, setAccess] = useState<SecretAccess>('read')
  const keyOf = ({ subjectType, subjectId }: Subject) => `${subjectType} ${subjectId}`
  const subject = subjects.find((each) => keyOf(each) === chosen) ?? subjects[0]
  if (!subject) return null
  return (
    <div className="mt-4 flex flex-wrap items-end gap-3">
      <Field label="Grant to">
        {(control) => (
          <Select
            {...control}
            value={keyOf(subject)}
            options={subjects.map((each) => ({ value: keyOf(each), label: each.label }))}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
      </Field>
      <Field label="Access">
        {(control) => (
          <Select
            {...control}
            value={access}
            options={accessOptions}
            onChange={(event) => setAccess(event.target.value as SecretAccess)}
          />
        )}
      </Field>
      <Button busy={busy} disabledReason={disabledReason} onClick={() => onAdd(subject, access)}>
        Grant
      </Button>
    </div>
  )
}

const readerColumns: readonly Column<SecretReader>[] = [
  { key: 'name', header: 'Name', width: '30%', cell: ({ name }) => name },
  { key: 'because', header: 'Because', cell: ({ because }) => because },
  {
    key: 'readCount',
    header: 'Reads',
    align: 'end',
    width: '5rem',
    cell: ({ readCount }) => (readCount === 0 ? '—' : readCount),
  },
  {
    key: 'lastReadAt',
    header: 'Last read',
    align: 'end',
    width: '8rem',
    cell: ({ lastReadAt }) => <RelativeTime at={lastReadAt} />,
  },
]
