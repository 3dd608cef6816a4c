import { causeOf, fieldErrorListOf } from '../../lib/error-text.ts'
import { Notice } from '../../ui/notice.tsx'

/** Why there is no preview, or why nothing was imported. */
export function ImportProblems({
  previewError,
  importError,
}: {
  previewError: Error | null
  importError: Error | null
}) {
  const problems = fieldErrorListOf(previewError)
  const failure = previewError && problems.length === 0 ? causeOf(previewError) : undefined
  return (
    <>
      {problems.length > 0 ? (
        <Notice tone="danger" title="The text cannot be read">
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {failure ? (
        <Notice tone="danger" title="There is no preview">
          {failure}
        </Notice>
      ) : null}
      {importError ? (
        <Notice tone="danger" title="Nothing was imported">
          {causeOf(importError)}
        </Notice>
      ) : null}
    </>
  )
}
