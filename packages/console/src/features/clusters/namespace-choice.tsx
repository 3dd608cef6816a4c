import type { Cluster, ClusterConnectionFacts } from '@bey/contract'
import { deniedReason, isDnsLabel, maxWatchedNamespaces } from '@bey/contract'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

/** Which namespaces are watched one by one where this identity may not watch all. */
export function NamespaceChoice({ cluster, facts }: { cluster: Cluster; facts: ClusterConnectionFacts }) {
  const known = (facts.namespaces ?? []).join(', ')
  const [text, setText] = useState(known)
  const choose = useChange('clusters.chooseNamespaces')
  const role = useRole()
  const stale = useStaleReason()
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const wrong = names.find((name) => !isDnsLabel(name))
  const error =
    wrong === undefined
      ? names.length > maxWatchedNamespaces
        ? `At most ${maxWatchedNamespaces} namespaces are watched one by one.`
        : undefined
      : `"${wrong}" is not the name of a namespace.`
  const reason = stale ?? deniedReason(role, 'clusters.provision') ?? error
  return (
    <div className="flex max-w-prose flex-col gap-3">
      <p className="text-text-2">
        This identity may not watch all namespaces, so each of these is watched by itself.{' '}
        {facts.areNamespacesChosen ? 'They were chosen by a member.' : 'They are those that the test found.'}
      </p>
      <Field
        label="Namespaces"
        hint="Separated by commas."
        error={error ?? (choose.error ? causeOf(choose.error) : undefined)}
      >
        {(control) => (
          <Input
            {...control}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={choose.isPending}
          disabledReason={reason ?? (text === known ? 'Nothing was changed.' : undefined)}
          onClick={() => choose.mutate({ params: { id: cluster.id }, body: { namespaces: names } })}
        >
          Watch these
        </Button>
        {facts.areNamespacesChosen ? (
          <Button
            variant="ghost"
            disabledReason={reason}
            onClick={() =>
              choose.mutate(
                { params: { id: cluster.id }, body: { namespaces: null } },
                {
                  onSuccess: (found) => setText((found.namespaces ?? []).join(', ')),
                },
              )
            }
          >
            Watch what the test found
          </Button>
        ) : null}
      </div>
    </div>
  )
}
