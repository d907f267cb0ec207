// Plain JavaScript, since the types of Nest are not installed where this package is built; nest-core.d.mts has what is used.
export { Inject, Logger } from '@nestjs/common';
export { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
