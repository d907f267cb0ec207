import type { Pool, PoolConnection } from 'mysql2/promise';

/** Runs the work on a connection of its own; one that failed or came late is not used again, since its answer may still come. */
export async function withMysqlConnection<Result>(
  pool: Pool,
  deadline: number,
  work: (client: PoolConnection) => Promise<Result>,
): Promise<Result> {
  const connecting = pool.getConnection();
  const client = await within(
    deadline,
    connecting,
    () => void connecting.then((late) => late.release()).catch(() => {}),
  );
  try {
    const result = await within(deadline, work(client));
    client.release();
    return result;
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function within<Result>(deadline: number, waited: Promise<Result>, onLate = () => {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate();
      reject(new Error(`The database did not answer within ${deadline} ms.`));
    }, deadline);
    waited.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
