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

/** By the clock of Redis, which is the same for all instances. */
const expires = `
local time = redis.call('TIME')
local expires = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1])`;

/**
 * KEYS: the sessions. ARGV: time to live, most attributes, most bytes, then for each session the number of its attributes, followed by
 * name and `size:value` of each. Gives the outcome for each session.
 */
export const mergeScript = script(`${expires}
local function size(stored) return stored and tonumber(string.match(stored, '^%d+')) or 0 end
local function merge(key, first, last)
  local fields = { '\\\\bytes' }
  for index = first, last, 2 do fields[#fields + 1] = ARGV[index] end
  local old = redis.call('HMGET', key, unpack(fields))
  local count = math.max(redis.call('HLEN', key) - 2, 0)
  local bytes = size(old[1])
  for index = 2, #fields do
    if not old[index] then count = count + 1 end
    bytes = bytes - size(old[index]) + size(ARGV[first + index * 2 - 3])
  end
  if count > tonumber(ARGV[2]) then return 'too many attributes' end
  if bytes > tonumber(ARGV[3]) then return 'too many bytes' end
  redis.call('HSET', key, '\\\\bytes', bytes, '\\\\expires', expires, unpack(ARGV, first, last))
  redis.call('PEXPIREAT', key, expires)
  return 'stored'
end
local outcomes = {}
local at = 4
for index, key in ipairs(KEYS) do
  local last = at + ARGV[at] * 2
  outcomes[index] = merge(key, at + 1, last)
  at = last + 1
end
return outcomes`);

/** KEYS: the session. ARGV: time to live. */
export const touchScript = script(`${expires}
if redis.call('PEXPIREAT', KEYS[1], expires) == 1 then redis.call('HSET', KEYS[1], '\\\\expires', expires) end
return 1`);
