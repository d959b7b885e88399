import type { SessionTransaction } from '../database.ts';

/**
 * Runs a transaction on an exclusively held connection. Never commits after a failed statement, even if the work ignored it.
 *
 * @param begin script that begins the transaction
 */
export async function runTransaction<Result>(
  connection: SessionTransaction,
  begin: string,
  work: (transaction: SessionTransaction) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  let failure: { error: unknown } | undefined;
  const watched = async <Value>(start: () => Promise<Value>): Promise<Value> => {
    if (isOver) throw new TypeError('A statement came after the end of its transaction');
    try {
      return await start();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  await connection.run(begin);
  try {
    const result = await work({
      mayWrite: true,
      query: (statement) => watched(() => connection.query(statement)),
      run: (script) => watched(() => connection.run(script)),
      copyInto: (target, pieces) => watched(() => connection.copyInto(target, pieces)),
    });
    if (failure !== undefined) throw failure.error;
    isOver = true;
    await connection.run('commit');
    return result;
  } catch (error) {
    isOver = true;
    // If the connection is lost, the server rolls back by itself.
    await connection.run('rollback').catch(() => undefined);
    throw error;
  }
}
