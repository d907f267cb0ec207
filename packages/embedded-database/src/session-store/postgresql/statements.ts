const later = (milliseconds: string) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`;

/** Prepared once per connection, by name. */
export const statements = {
  read: {
    name: 'jig-session-read',
    text: `SELECT id, attributes::text AS attributes, (extract(epoch FROM expires) * 1000)::float8 AS expires
           FROM jig_session WHERE id = ANY($1) AND expires > now()`,
  },
  /**
   * Takes sessions as one JSON object, ids to attributes, and gives the ids that it stored. One statement, so that a row is locked from
   * the look at its old attributes to the write of the new ones. The object's keys come sorted, so that two of these never wait for
   * each other in a circle.
   */
  merge: {
    name: 'jig-session-merge',
    text: `INSERT INTO jig_session AS old (id, attributes, expires) SELECT key, value, ${later('$2')} FROM jsonb_each($1::jsonb)
           ON CONFLICT (id) DO UPDATE SET
             attributes = CASE WHEN old.expires > now() THEN old.attributes || excluded.attributes ELSE excluded.attributes END,
             expires = excluded.expires
           WHERE old.expires <= now() OR (
             SELECT count(*) <= $3 AND coalesce(sum((value->>1)::integer), 0) <= $4
             FROM jsonb_each(old.attributes || excluded.attributes))
           RETURNING old.id`,
  },
  /** Only asked after a refusal. */
  wouldBe: {
    name: 'jig-session-would-be',
    text: `SELECT count(*)::integer AS count FROM jig_session, jsonb_object_keys(attributes || $2::jsonb) WHERE id = $1`,
  },
  touch: {
    name: 'jig-session-touch',
    text: `UPDATE jig_session SET expires = ${later('$2')} WHERE id = $1 AND expires > now()`,
  },
  destroy: { name: 'jig-session-destroy', text: 'DELETE FROM jig_session WHERE id = $1' },
  count: { name: 'jig-session-count', text: 'SELECT count(*)::float8 AS count FROM jig_session WHERE expires > now()' },
  sweep: { name: 'jig-session-sweep', text: 'DELETE FROM jig_session WHERE expires <= now()' },
} as const;
