import type { ConnectionRights, ConnectionTest } from '@bey/contract'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Facts } from '../../ui/facts.tsx'

const shownNamespaces = 12

/** Who Bey is in a cluster, what that identity may do there, and how members are named to it. */
export function IdentityAndRights({ test }: { test: Pick<ConnectionTest, 'identity' | 'rights'> }) {
  const { identity, rights } = test
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Facts
        facts={[
          {
            label: 'Identity',
            value: <span className="break-all">{identity?.user ?? 'not reported by the cluster'}</span>,
          },
          ...(identity && identity.groups.length > 0
            ? [{ label: 'Groups', value: <span className="break-all">{identity.groups.join(', ')}</span> }]
            : []),
          ...(rights ? [{ label: 'Rights', value: rights.summary }] : []),
          ...(rights && !rights.readsAll && rights.namespaces.length > 0
            ? [{ label: 'Namespaces', value: namespacesText(rights) }]
            : []),
        ]}
      />
      {rights ? (
        <div className="max-w-prose text-text-2">
          <p>{rights.impersonation.reason}</p>
          {rights.impersonation.commands.length > 0 ? (
            <div className="mt-2">
              <CodeBlock
                label="Commands that bind the groups"
                text={rights.impersonation.commands.join('\n')}
              />
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

function namespacesText({ namespaces }: ConnectionRights): string {
  const names = namespaces.map(({ name, canChange }) => (canChange ? name : `${name} (reads)`))
  const shown = names.slice(0, shownNamespaces).join(', ')
  return names.length > shownNamespaces ? `${shown} and ${names.length - shownNamespaces} more` : shown
}
