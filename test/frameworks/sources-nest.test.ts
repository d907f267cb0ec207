import * as common from '@nestjs/common';
import * as core from '@nestjs/core';
import { describeNestSource } from './describe-nest-source.ts';

describeNestSource({ version: 12, common, core });
