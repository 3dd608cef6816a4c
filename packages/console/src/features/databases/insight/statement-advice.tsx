import type { DatabaseAdvice } from '@bey/contract'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { prepareStatement } from '../sql/sql-drafts.ts'

/** The advice on one statement, with its figures and the statement that follows it; nothing is executed by itself. */
export function StatementAdvice({
  databaseId,
  advice,
}: {
  databaseId: string
  advice: readonly DatabaseAdvice[]
}) {
  return advice.map(({ key, title, detail, sql, evidence }) => (
    <Section key={key} title="What to do" aside="not built" isCard>
      <div className="flex flex-col gap-3">
        <p className="text-text-2">
          <strong className="font-medium text-text">{title}.</strong> {detail}
        </p>
        {sql === null ? null : <CodeBlock label={`Statement: ${title}`} text={sql} />}
        <Facts facts={evidence} />
        <span className="flex flex-wrap gap-2">
          {sql === null ? null : (
            <ButtonLink
              size="small"
              href={databaseHref(databaseId, 'sql')}
              onClick={() => prepareStatement(databaseId, sql, true)}
            >
              Build the index…
            </ButtonLink>
          )}
          <ButtonLink size="small" variant="ghost" href={databaseHref(databaseId, 'advice')}>
            Open Advice
          </ButtonLink>
        </span>
        <p className="text-small text-text-2">
          The statement opens in the SQL console. Once it was executed, the means before and after stand under
          Advice.
        </p>
      </div>
    </Section>
  ))
}
