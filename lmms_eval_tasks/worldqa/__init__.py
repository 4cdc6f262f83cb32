"""WorldQA: questions on videos, open-ended and multiple choice by CircularEval."""
