/** One way to break the product, and the test that must notice it. */
export type Mutation = {
  /** How the row of `docs/specification-coverage.md` begins whose sentence becomes false. */
  row: string
  /** The edited file, relative to the root of the repository. */
  file: string
  /** What stands in the file exactly once, and what stands there while the test runs. */
  from: string
  to: string
  /** The test file, and the title of the test that must fail; a title with `%s` stands for all rows of its table. */
  test: string
  title: string
}
