import { Stop } from './project.mjs'

/**
 * Runs a command and prints an expected failure as one line, without a stack.
 * @param {() => Promise<void>} command
 */
export async function endWithSentence(command) {
  try {
    await command()
  } catch (failure) {
    if (!(failure instanceof Stop)) throw failure
    console.error(failure.message)
    process.exitCode = 1
  }
}
