import { Section } from '../../ui/section.tsx'

const maxValueLength = 200

/** Labels or annotations of an object; nothing where there are none. */
export function ObjectLabels({
  title,
  values,
}: {
  title: string
  values: Record<string, string> | undefined
}) {
  const entries = Object.entries(values ?? {})
  if (entries.length === 0) return null
  return (
    <Section title={title} isCard>
      <dl className="grid gap-y-1.5">
        {entries.map(([key, value]) => (
          <div key={key} className="min-w-0 font-mono text-small">
            <dt className="inline break-all text-text-2">{key}</dt>
            <dd className="inline break-all">
              {'='}
              {value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
