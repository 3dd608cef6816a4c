// What the reports of the two runners say of the tests that failed. JSON as Vitest and Playwright write it.
import { relative } from 'node:path'
import { root } from './workspace.mjs'

/** `file › test` of each failed test, and the file alone where it failed outside of its tests. */
export function failedInVitest(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const name = relative(root, file.name)
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length > 0) return failed.map(({ fullName }) => `${name} › ${fullName}`)
    return file.status === 'failed' ? [name] : []
  })
}

/** `file › test` of each test with this outcome: `unexpected` failed, `flaky` succeeded by its second try. */
export function endedInPlaywright(report, outcome) {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  return (report?.suites ?? [])
    .flatMap(specsOf)
    .filter((spec) => spec.tests.some(({ status }) => status === outcome))
    .map((spec) => `${spec.file} › ${spec.title}`)
}
