import { type GivenAttachment } from '@bey/contract'
import { sameAttachment } from '@bey/contract/networks/rules'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'

/** What takes part in a network: clusters, namespaces, databases. */
export function AttachmentFields({
  attachments,
  errors,
  onChange,
}: {
  attachments: readonly GivenAttachment[]
  errors: Readonly<Record<string, string>>
  onChange: (attachments: GivenAttachment[]) => void
}) {
  const clusters = useRead('clusters.list', { query: { limit: 200 } }).data?.clusters ?? []
  const databases = useRead('databases.list', { query: { limit: 200 } }).data?.databases ?? []
  const [chosen, setChosen] = useState('')
  const [namespace, setNamespace] = useState('')
  const [kind, id = ''] = chosen.split(' ')
  const given = ((): GivenAttachment | undefined => {
    if (id === '') return undefined
    if (kind === 'database') return { kind, databaseId: id }
    const clusterId = Number(id)
    const text = namespace.trim()
    return text === '' ? { kind: 'cluster', clusterId } : { kind: 'namespace', clusterId, namespace: text }
  })()
  const titleOf = (each: GivenAttachment): string => {
    if (each.kind === 'database') {
      return `Database ${databases.find((row) => row.id === each.databaseId)?.name ?? each.databaseId}`
    }
    const title = clusters.find((row) => row.id === each.clusterId)?.title ?? `cluster ${each.clusterId}`
    return each.kind === 'cluster' ? `Cluster ${title}, all namespaces` : `${each.namespace} in ${title}`
  }
  const isNew = given !== undefined && !attachments.some((each) => sameAttachment(each, given))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">
        What takes part <span className="ml-1 font-normal text-text-3">optional</span>
      </legend>
      {attachments.length > 0 ? (
        <ul className="divide-y divide-line rounded-control border border-line">
          {attachments.map((each, at) => (
            <li key={JSON.stringify(each)} className="px-3 py-1.5">
              <div className="flex items-center justify-between gap-2">
                <span className="min-w-0 truncate" title={titleOf(each)}>
                  {titleOf(each)}
                </span>
                <IconButton
                  label={`Detach ${titleOf(each)}`}
                  size="small"
                  icon={<X size={14} aria-hidden />}
                  onClick={() => onChange(attachments.filter((_, index) => index !== at))}
                />
              </div>
              {errors[`attachments.${at}`] ? (
                <p role="alert" className="text-small text-danger">
                  {errors[`attachments.${at}`]}
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Cluster or database"
          className="min-w-48 flex-1"
          value={chosen}
          options={[
            { value: '', label: 'Choose a cluster or database' },
            ...clusters.map((row) => ({ value: `cluster ${row.id}`, label: `Cluster ${row.title}` })),
            ...databases.map((row) => ({ value: `database ${row.id}`, label: `Database ${row.name}` })),
          ]}
          onChange={(event) => setChosen(event.target.value)}
        />
        {kind === 'cluster' ? (
          <Input
            aria-label="Namespace"
            placeholder="all namespaces"
            value={namespace}
            autoComplete="off"
            spellCheck={false}
            className="min-w-40 flex-1"
            onChange={(event) => setNamespace(event.target.value)}
          />
        ) : null}
        <Button
          icon={<Plus size={14} aria-hidden />}
          disabledReason={
            given === undefined
              ? 'Choose what takes part first.'
              : isNew
                ? undefined
                : 'It is already in the list.'
          }
          onClick={() => {
            if (given === undefined) return
            onChange([...attachments, given])
            setNamespace('')
          }}
        >
          Attach
        </Button>
      </div>
    </fieldset>
  )
}
