// What the reports of the two runners say of the tests that failed. JSON as Vitest and Playwright write it.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './workspace.mjs'

/** What failed in one file: `names` are its failed tests, or the file where it failed outside of its tests. */
export function failedFilesInVitest(report) {
  return (report?.testResults ?? [])
    .filter((file) => file.status === 'failed')
    .map((file) => {
      const path = relative(root, file.name)
      const failed = file.assertionResults.filter(({ status }) => status === 'failed')
      const passed = file.assertionResults.filter(({ status }) => status === 'passed').length
      const failures = failed.map(({ fullName, failureMessages }) => ({
        name: `${path} › ${fullName}`,
        message: firstLines(failureMessages[0]),
      }))
      return {
        path,
        passed,
        failures: failures.length > 0 ? failures : [{ name: path, message: firstLines(file.message) }],
      }
    })
}

/** `file › test` of each failed test, with the reason. */
export function failedInPlaywright(report) {
  return specsIn(report)
    .filter((spec) => spec.tests.some(({ status }) => status === 'unexpected'))
    .map((spec) => ({
      name: `${spec.file} › ${spec.title}`,
      message: firstLines(
        spec.tests.flatMap(({ results }) => results).find(({ error }) => error)?.error?.message,
      ),
    }))
}

/** What tests say about how they ran (annotations of the type `note`), for the sum at the end. */
export function notesInPlaywright(report) {
  return specsIn(report).flatMap((spec) =>
    spec.tests
      .flatMap(({ annotations = [] }) => annotations)
      .filter(({ type }) => type === 'note')
      .map(({ description }) => `${spec.file}: ${description}`),
  )
}

function specsIn(report) {
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
  return (report?.suites ?? []).flatMap(specsOf)
}

/** The beginning of a message, without colours: the whole of it stands above. */
function firstLines(message) {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*at .*(node_modules|new Promise)/.test(line))
  return lines.slice(0, 6).join('\n').slice(0, 600)
}
