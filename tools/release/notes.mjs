// Notes of a release: its section of CHANGELOG.md, and what can be gone back to.

/** The section of a version, without its head. Throws where the version has none. */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`)
  const end = section.indexOf('\n')
  return section.slice(end + 1).trim()
}

/** The text that goes with the files of a release. */
export function releaseNotes(changelog, version, migrations) {
  const newest = migrations.toSorted().at(-1)
  return `# Bey ${version}

${notesOf(changelog, version)}

## Going back

The database is moved forward to migration ${newest?.replace(/\.sql$/, '')} when this version first starts. An earlier version
refuses a database that is newer than itself: to go back, stop every process, restore the backup that was made before the
upgrade, and start the earlier version on it.
`
}
