throw new Error('Load @jig/embedded-database/register by node --import, not by require: the tests wait for it.');
