import { createHash } from 'node:crypto';

/** A script that Redis runs as a whole: nothing comes between its steps. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/**
 * A session is a hash: the names of its attributes to `size:value`, the size being that of name and value in UTF-8 bytes. Beside them
 * stand two fields whose names no attribute can have, since a storable text that begins with a backslash goes on with a quote.
 */
export const bytesField = '\\bytes';
export const expiresField = '\\expires';

const prolong = `
local time = redis.call('TIME')
local expires = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
local function prolong(key)
  redis.call('HSET', key, '\\\\expires', string.format('%.0f', expires))
  redis.call('PEXPIREAT', key, string.format('%.0f', expires))
end`;

/** KEYS: the session. ARGV: time to live, most attributes, most bytes, then name and `size:value` of each attribute. */
export const mergeScript = script(`${prolong}
local key = KEYS[1]
local bytes = tonumber(redis.call('HGET', key, '\\\\bytes') or 0)
local count = math.max(redis.call('HLEN', key) - 2, 0)
local function size(stored) return tonumber(string.match(stored, '^%d+')) end
for index = 4, #ARGV, 2 do
  local old = redis.call('HGET', key, ARGV[index])
  if old then bytes = bytes - size(old) else count = count + 1 end
  bytes = bytes + size(ARGV[index + 1])
end
if count > tonumber(ARGV[2]) then return 'too many attributes' end
if bytes > tonumber(ARGV[3]) then return 'too many bytes' end
for index = 4, #ARGV, 2 do redis.call('HSET', key, ARGV[index], ARGV[index + 1]) end
redis.call('HSET', key, '\\\\bytes', bytes)
prolong(key)
return 'stored'`);

/** KEYS: the session. ARGV: time to live. */
export const touchScript = script(`${prolong}
if redis.call('EXISTS', KEYS[1]) == 1 then prolong(KEYS[1]) end
return 1`);
