import { useCurrentOrganization } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { shellWord, tableText } from './example-text.ts'

/** Commands with the names of this organization's own things, so that they run as they are shown. */
export function CliExamples() {
  const organization = useCurrentOrganization()
  const clusters = useList('clusters.list', { query: { limit: 3 } })
  const runs = useList('workflows.allRuns', { query: { limit: 1 } })
  const secrets = useList('secrets.list', { query: { limit: 1 } })
  const isLoading = [clusters, runs, secrets].some((list) => list.isLoading)
  const rows = clusters.data?.clusters ?? []
  const cluster = rows.find(({ status }) => status === 'RUNNING')
  const run = runs.data?.runs[0]
  const secret = secrets.data?.secrets[0]
  return (
    <Section title="What it answers here" aside={organization ? `in ${organization.name}, as you` : null}>
      {isLoading ? (
        <Skeleton className="h-72" />
      ) : (
        <div className="flex flex-col gap-4">
          <Example
            title="Your newest clusters"
            href="/kubernetes/clusters"
            same="Clusters"
            command="bey clusters list --limit 3"
            // What the command prints, with the three columns that matter most.
            output={tableText(
              ['ID', 'NAME', 'STATUS'],
              rows.map(({ id, name, status }) => [String(id), name, status]),
            )}
          />
          {cluster ? (
            <Example
              title="Use kubectl for some hours"
              href={`/kubernetes/clusters/${cluster.id}`}
              same={cluster.name}
              command={`bey kubeconfig ${shellWord(cluster.name)} --file ~/.kube/bey`}
            />
          ) : null}
          {run ? (
            <Example
              title="Follow the last run to its end"
              href={`/workflows/${run.workflowId}/runs/${run.id}`}
              same={run.workflowName}
              command={`bey runs watch ${shellWord(run.workflowName)} --exit-status`}
            />
          ) : null}
          {secret ? (
            <Example
              title="Give a program its secrets"
              href={`/secrets/${secret.id}`}
              same={secret.name}
              command={`bey secrets run --env VALUE=${shellWord(secret.name)} -- ./import`}
            />
          ) : (
            <Example
              title="Store a secret without typing it"
              href="/secrets"
              same="Secrets"
              command="bey secrets create --name db-password --value @password.txt"
            />
          )}
          <Example
            title="In a script"
            href="/resources"
            same="Resources"
            command="bey resources list --json=name,kind,health"
          />
        </div>
      )}
    </Section>
  )
}

interface ExampleProps {
  title: string
  /** What is typed, and copied. */
  command: string
  /** What it prints, where that is known. */
  output?: string
  /** Where the console shows the same. */
  href: string
  same: string
}

function Example({ title, command, output, href, same }: ExampleProps) {
  return (
    <div>
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-medium">{title}</h3>
        <p className="min-w-0 truncate text-small text-text-2">
          the same as{' '}
          <Link href={href} className="underline underline-offset-4 hover:text-text">
            {same}
          </Link>
        </p>
      </div>
      <div className="flex items-start rounded-control border border-line bg-sunken">
        <pre
          // A section would lose the whitespace that pre keeps.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="region"
          aria-label={title}
          // A box that scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="min-w-0 flex-1 overflow-auto p-3 font-mono text-small leading-5 text-text-2"
        >
          $ <span className="font-semibold text-text">{command}</span>
          {output === undefined ? '' : `\n${output}`}
        </pre>
        <div className="p-1">
          <CopyButton text={command} label={`Copy: ${title}`} />
        </div>
      </div>
    </div>
  )
}
